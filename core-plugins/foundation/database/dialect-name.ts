/** The supported databases; `dialects/dialects.ts` has their definitions. */
export const dialectNames = ['sqlite', 'postgres', 'mysql'] as const

export type DialectName = (typeof dialectNames)[number]
