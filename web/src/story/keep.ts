/* Files that the page hands out; they are made here and sent nowhere. */

export function save(name: string, content: Blob): void {
  const link = document.createElement("a"),
    address = URL.createObjectURL(content);
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
