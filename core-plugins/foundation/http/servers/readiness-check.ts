import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'

/** A condition for readiness, checked by `readyz`. */
export interface ReadinessCheck {
  readonly name: string
  /**
   * `part`: the rest of the service works without it, so it stays ready and `readyz` names the check under
   * `degraded`; default `all`.
   */
  readonly concerns?: 'all' | 'part' | undefined
  /** @throws if the service cannot do its work, or a part of it */
  check(): void | Promise<void>
}

/** Conditions that `readyz` looks at. Contribute in `init`. */
export const readinessChecks: ExtensionPoint<ReadinessCheck> = extensionPoint('readinessChecks')
