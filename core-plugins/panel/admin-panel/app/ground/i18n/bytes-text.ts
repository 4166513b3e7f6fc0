import { writtenLocale } from './translate.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Formats a size in the user's locale: `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(writtenLocale(), {
    style: 'unit',
    unit: units[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(bytes / 1000 ** power)
}
