import {
  type ContributionOf,
  type ExtensionPoint,
  extensionPoint,
  PluginFault,
} from '../../../../kernel/index.ts'
import type { Method, Route } from '../routes/route.ts'
import type { Principal } from './principal.ts'

/** What decides about a request knows of it: nothing of its query and body has been read. */
export interface AdmissionRequest {
  readonly route: Route
  readonly method: Method
  readonly principal: Principal
}

/**
 * Decides whether the service takes on a request now. Asked once: about requests without credentials as soon as their
 * route is known, which costs nothing yet, and about others when their caller is known and may use the route. Whoever can
 * answer without working for it, from memory for instance, does so before.
 */
export interface Admission {
  /** Whether every request is taken on at present, so that nobody has to ask. */
  readonly isOpen: boolean
  /** Must be quick. @throws Overloaded, or another AppError, to refuse */
  admit(request: AdmissionRequest): void
}

/** There can be one. Without it every request is taken on. */
export const admissions: ExtensionPoint<Admission> = extensionPoint('admissions')

/** @throws PluginFault blaming the plugin that brings the second one */
export function assertOneAdmission(contributed: readonly ContributionOf<Admission>[]): void {
  const [first, second] = contributed
  if (first === undefined || second === undefined) return
  const message = `requests are admitted by ${first.plugin} already; use one of the two`
  throw new PluginFault(second.plugin, new Error(message))
}
