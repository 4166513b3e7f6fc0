/** What the names of a file and its thumbnails begin with. */
export const baseOf = (key: string): string => key.split(/[_.]/, 1)[0] ?? key
