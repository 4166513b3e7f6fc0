import { MortiseError } from '../../../../../../client/client.ts'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { reportPluginError } from './report-error.ts'
import { messageOf } from './thrown.ts'

/** The plugin and location of an action. */
interface ActionOwner {
  readonly plugin: string
  /** The location in error reports for operators: `entry action seo:check`. */
  readonly where: string
}

/**
 * Runs a plugin's action and shows what it throws. A refusal by the service is not reported as a plugin error. Returns whether
 * the action succeeded.
 */
export async function runAction({ plugin, where }: ActionOwner, run: () => unknown): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    toast('danger', messageOf(error))
    if (!isRefusal(error)) reportPluginError(plugin, where, error)
    return false
  }
}

/** Whether the service refused the request, as opposed to a failure. */
export const isRefusal = (error: unknown) => error instanceof MortiseError && error.status < 500
