/** The common prefix of the keys of a file and its thumbnails. */
export const baseOf = (key: string): string => key.split(/[_.]/, 1)[0] ?? key
