/** `ML` for `mary.linden` and `Mary Linden`, `AD` for `ada`. */
export function initialsOf(username: string): string {
  const [first = '', second] = username.split(/[\s._@-]+/).filter((part) => part !== '')
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]]
  return letters.join('').toUpperCase()
}
