import { t } from '../../ground/i18n/translate.ts'
import classes from './metrics.module.css'
import { timeOf } from './units.ts'

export interface BarChartProps {
  readonly label: string
  readonly bars: readonly { readonly at: string; readonly value: number | null }[]
  readonly textOf: (value: number | null) => string
  /** The least maximum of the scale. */
  readonly atLeast?: number
  /** Whether any bar above zero is bad. */
  readonly isBad?: boolean
}

const height = 30

/** One bar per minute, relative to the highest one. For screen readers, the table below the charts has the same data. */
export function BarChart({ label, bars, textOf, atLeast = 0, isBad = false }: BarChartProps) {
  const highest = Math.max(0, ...bars.map(({ value }) => value ?? 0))
  const scale = height / (Math.max(highest, atLeast) || 1)
  const words = t('operations.metrics.highest', { value: textOf(highest) })
  return (
    <figure className={classes.chart}>
      <figcaption>
        <span>{label}</span> <span className={classes.highest}>{words}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={`${label}: ${words}`}
        viewBox={`0 0 ${bars.length} ${height}`}
        preserveAspectRatio="none"
        className={isBad ? classes.bad : classes.bars}
      >
        {bars.map(({ at, value }, index) => (
          <rect
            key={at}
            x={index + 0.1}
            width={0.8}
            y={height - (value ?? 0) * scale}
            height={(value ?? 0) * scale}
          >
            <title>{`${timeOf(at)}: ${textOf(value)}`}</title>
          </rect>
        ))}
      </svg>
    </figure>
  )
}
