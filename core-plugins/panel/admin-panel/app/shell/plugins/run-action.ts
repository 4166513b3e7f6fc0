import { MortiseError } from '../../../../../../client/client.ts'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { reportPluginError } from './report-error.ts'
import { messageOf } from './thrown.ts'

/** Whose action it is. */
interface ActionOwner {
  readonly plugin: string
  /** `entry action seo:check`, for operators. */
  readonly where: string
}

/**
 * Runs what a plugin does when somebody presses its button, and shows what it throws. A refusal of the service is not a
 * mistake of the plugin. Answers whether it is done.
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

/** The service works, and does not do what it was asked for. */
export const isRefusal = (error: unknown) => error instanceof MortiseError && error.status < 500
