/* Names of files and data as people read them. */

export const plainly = (name: string) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll(/[-_]/g, " ");
