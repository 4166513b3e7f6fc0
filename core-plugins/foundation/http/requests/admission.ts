import {
  type ContributionOf,
  type ExtensionPoint,
  extensionPoint,
  PluginFault,
} from '../../../../kernel/index.ts'
import type { Method, Route } from '../routes/route.ts'
import type { Principal } from './principal.ts'

/** What is known of a request when its admission is decided: its query and body have not been read. */
export interface AdmissionRequest {
  readonly route: Route
  readonly method: Method
  readonly principal: Principal
}

/**
 * Decides whether the service accepts a request now. Called once: for requests without credentials as soon as their
 * route is known, before they have cost anything; for others once the caller is known and may use the route. Answers
 * that cost no work, such as those from memory, are sent before it is asked.
 */
export interface Admission {
  /** Whether every request is accepted at present, so that `admit` need not be called. */
  readonly isOpen: boolean
  /** Must be quick. @throws Overloaded, or another AppError, to refuse */
  admit(request: AdmissionRequest): void
}

/** At most one. Without it every request is accepted. */
export const admissions: ExtensionPoint<Admission> = extensionPoint('admissions')

/** @throws PluginFault blaming the plugin that brings the second one */
export function assertOneAdmission(contributed: readonly ContributionOf<Admission>[]): void {
  const [first, second] = contributed
  if (first === undefined || second === undefined) return
  const message = `requests are admitted by ${first.plugin} already; use one of the two`
  throw new PluginFault(second.plugin, new Error(message))
}
