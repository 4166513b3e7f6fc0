/** The supported databases; `dialects/dialects.ts` has their definitions. */
export const dialectNames = ['sqlite', 'postgres', 'mysql'] as const

/** The supported dialects; MariaDB uses `mysql`. */
export type DialectName = (typeof dialectNames)[number]
