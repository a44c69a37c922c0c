/* What this browser keeps. Where it is full, or keeps nothing, things are there until the page is left. */

const unkept = new Map<string, string>();

export function recall(key: string): string | null {
  try {
    return unkept.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}
export function keep(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
    unkept.delete(key);
  } catch {
    unkept.set(key, text);
  }
}
/** A list that was kept; none where what is there cannot be read. */
export function recallList<T>(key: string): T[] {
  try {
    const found: unknown = JSON.parse(recall(key) ?? "[]");
    return Array.isArray(found) ? found.filter(one => one !== null && typeof one === "object") : [];
  } catch {
    return [];
  }
}
