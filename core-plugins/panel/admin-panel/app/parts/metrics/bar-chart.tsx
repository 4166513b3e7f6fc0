import { t } from '../../ground/i18n/translate.ts'
import classes from './metrics.module.css'
import { timeOf } from './units.ts'

export interface BarChartProps {
  readonly label: string
  readonly bars: readonly { readonly at: string; readonly value: number | null }[]
  readonly textOf: (value: number | null) => string
  /** What the height stands for if no value is higher. */
  readonly atLeast?: number
  /** Every bar is one too many. */
  readonly isBad?: boolean
}

const height = 30

/** A bar a minute, as high as its part of the highest one. The table below the charts has the same for screen readers. */
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
