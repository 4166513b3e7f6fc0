import type { Plugin, ServiceToken } from '../../../kernel/index.ts'
import { type Alerts, alertsService } from '../../background/alerts/alerts.ts'

type Services = Readonly<Record<string, unknown>>

/** Wraps the services in which a plugin registers names shared by all plugins. */
export function adaptServices(
  { uses, usesIfPresent }: Pick<Plugin, 'uses' | 'usesIfPresent'>,
  space: string,
  services: Services,
): Services {
  const tokens: Readonly<Record<string, ServiceToken<unknown>>> = { ...uses, ...usesIfPresent }
  const adapted = Object.entries(services).map(([name, present]) => {
    const isAlerts = tokens[name]?.id === alertsService.id && present !== undefined
    return [name, isAlerts ? ownAlerts(space, present as Alerts) : present]
  })
  return Object.fromEntries(adapted)
}

/** Restricts a plugin to its own alerts: if it could resolve `job_failed`, it could hide problems from operators. */
function ownAlerts(space: string, alerts: Alerts): Alerts {
  const prefix = `${space.replaceAll('-', '_')}_`
  const assertOwn = (kind: string) => {
    if (String(kind).startsWith(prefix) && /^[a-z0-9_]{1,63}$/.test(kind)) return
    throw new Error(`the kind of alert ${kind} must be named ${prefix}<what>`)
  }
  return {
    async raise(alert) {
      assertOwn(alert.kind)
      await alerts.raise(alert)
    },
    async resolve(kind, subject) {
      assertOwn(kind)
      await alerts.resolve(kind, subject)
    },
  }
}
