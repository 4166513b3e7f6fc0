import type { MediaFile } from '../../../../../client/client.ts'
import { writtenLocale } from '../i18n/translate.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** `1.4 MB`, as it is written where the reader is. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(writtenLocale(), {
    style: 'unit',
    unit: units[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(bytes / 1000 ** power)
}

/** `1600 × 900`; empty for what is not an image. */
export function formatDimensions({ width, height }: Pick<MediaFile, 'width' | 'height'>): string {
  return width === null || height === null ? '' : `${width} × ${height}`
}

/** `PNG`: the ending of the name, which says more to people than the media type. */
export function endingOf(name: string): string {
  const ending = /\.([^.]{1,8})$/.exec(name)?.[1]
  return ending === undefined ? '' : ending.toUpperCase()
}
