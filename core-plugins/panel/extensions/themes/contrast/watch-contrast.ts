import type { Log } from '../../../../../kernel/index.ts'
import type { Alerts } from '../../../../background/alerts/alerts.ts'
import type { Config, Setting } from '../../../../foundation/config/config.ts'
import type { Theme } from '../find-themes.ts'

const kind = 'theme_contrast'

/** The maximum number of problems in the alert; the log has all. */
const mostInAlert = 20

export interface ContrastParts {
  readonly config: Config
  readonly themes: readonly Theme[]
  /** The name of the chosen theme. */
  readonly chosen: Setting<string>
  readonly alerts: Alerts | undefined
  readonly log: Log
}

/**
 * Raises an alert now, and whenever another theme is chosen, if its colours have too little contrast in the panel; the alert is
 * resolved when a readable theme is chosen. Call the returned function to stop.
 */
export async function watchContrast(parts: ContrastParts): Promise<() => void> {
  const { config, chosen, log } = parts
  const report = () =>
    reportContrast(parts).catch((error) =>
      log.warn({ err: error }, 'the contrast of the theme could not be checked'),
    )
  await report()
  return config.onChange(chosen, () => void report())
}

async function reportContrast({ config, themes, chosen, alerts, log }: ContrastParts) {
  const theme = themes.find(({ name, failure }) => name === config.get(chosen) && failure === undefined)
  if (theme === undefined) return alerts?.resolve(kind)
  const { name, tokens } = theme
  // Loaded on demand, since most services have no theme of their own.
  const { checkContrast, unreadableColors } = await import('./check-contrast.ts')
  const problems = checkContrast(tokens)
  for (const { mode, message } of problems) log.warn({ theme: name, mode }, `the theme ${name}: ${message}`)
  for (const property of unreadableColors(tokens)) {
    log.info(
      { theme: name },
      `the theme ${name}: the contrast of --${property} cannot be checked; write it as a colour of CSS, such as #rrggbb`,
    )
  }
  if (problems.length === 0) return alerts?.resolve(kind)
  await alerts?.raise({
    kind,
    severity: 'warning',
    message: `the theme ${name} is hard to read: ${problems[0]?.message}${problems.length > 1 ? `; and ${problems.length - 1} more` : ''}`,
    details: { theme: name, problems: problems.slice(0, mostInAlert).map(({ message }) => message) },
  })
}
