/**
 * The appearance of a name: equal for names that differ only in case, width or invisible characters. Used only for
 * comparison; names are stored as chosen.
 */
export function lookOf(name: string): string {
  const visible = name.normalize('NFKC').replace(/[\p{C}\p{Default_Ignorable_Code_Point}]+/gu, '')
  // Both conversions, since some characters are folded by only one of them, such as ß and the two small sigmas.
  return visible.toLowerCase().toUpperCase().normalize('NFKC')
}
