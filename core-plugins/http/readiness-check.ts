import { type ExtensionPoint, extensionPoint } from '../../kernel/index.ts'

/** A condition for readiness, checked by `readyz`. */
export interface ReadinessCheck {
  readonly name: string
  /** @throws if the service cannot do its work */
  check(): void | Promise<void>
}

export const readinessChecks: ExtensionPoint<ReadinessCheck> = extensionPoint('readinessChecks')
