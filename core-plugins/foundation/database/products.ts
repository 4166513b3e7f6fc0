import { dialects } from './dialects/dialects.ts'

/** The products suitable for a use, by their common names. */
export function productsFor(use: 'development' | 'production'): string[] {
  return Object.values(dialects)
    .filter(({ isForDevelopment }) => isForDevelopment === (use === 'development'))
    .flatMap(({ products }) => products)
}

/** `PostgreSQL, MySQL or MariaDB` */
export function alternatives(names: readonly string[]): string {
  const others = names.slice(0, -1).join(', ')
  return [others, names.at(-1)].filter(Boolean).join(' or ')
}
