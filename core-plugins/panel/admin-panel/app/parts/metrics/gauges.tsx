import type { MetricsGauge } from '../../../../../../client/admin.ts'
import { writtenLocale } from '../../ground/i18n/translate.ts'
import { Facts } from '../../ground/kit/resource-list/facts.tsx'
import classes from './metrics.module.css'

/** Every metric of the service and its plugins. */
export function Gauges({ gauges }: { readonly gauges: readonly MetricsGauge[] }) {
  return gauges.map(({ name, help, samples }) => (
    <section key={name} className={classes.gauge} aria-label={name}>
      <h3>
        <code>{name}</code>
      </h3>
      <p className={classes.note}>{help}</p>
      <Facts
        isWide
        facts={samples.map(({ labels, value }) => [
          Object.values(labels).join(', ') || name,
          value.toLocaleString(writtenLocale()),
        ])}
      />
    </section>
  ))
}
