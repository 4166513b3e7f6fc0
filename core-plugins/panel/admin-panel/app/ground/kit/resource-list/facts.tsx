import type { ReactNode } from 'react'
import { momentText } from '../../i18n/moment-text.ts'
import classes from './resource-list.module.css'

export interface FactsProps {
  /** Pairs of label and value; those without a value are left out. */
  readonly facts: readonly (readonly [string, ReactNode])[]
  /** Whether to place facts side by side if there is room. */
  readonly isWide?: boolean
}

/** A list of labelled values. */
export function Facts({ facts, isWide = false }: FactsProps) {
  return (
    <dl className={`${classes.facts} ${isWide ? classes.wide : ''}`}>
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A readable time with its machine-readable form; nothing without a value. */
export function Moment({ at }: { readonly at: string | null | undefined }) {
  if (at === null || at === undefined) return null
  return (
    <time dateTime={at} className={classes.moment}>
      {momentText(at)}
    </time>
  )
}

/** Indented JSON as stored by the service. Long data scrolls. */
export function Data({ label, value }: { readonly label: string; readonly value: unknown }) {
  if (value === null || value === undefined) return null
  return (
    <section className={classes.data}>
      <h3>{label}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys, too */}
      <pre tabIndex={0}>{typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}</pre>
    </section>
  )
}
