/**
 * What a name looks like: the same for names that differ in nothing but case, width, or characters that nobody sees. For comparing
 * only; names stay as they were chosen.
 */
export function lookOf(name: string): string {
  const visible = name.normalize('NFKC').replace(/[\p{C}\p{Default_Ignorable_Code_Point}]+/gu, '')
  // One after the other folds what only one of them does, such as ß and the two small sigmas.
  return visible.toLowerCase().toUpperCase().normalize('NFKC')
}
