/** The supported databases; `dialects/dialects.ts` has their definitions. */
export const dialectNames = ['sqlite', 'postgres', 'mysql'] as const

/** The databases that the service speaks to; MariaDB is a `mysql`. */
export type DialectName = (typeof dialectNames)[number]
