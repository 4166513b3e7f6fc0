import { api } from '../../ground/api/client.ts'
import { messageOf } from './thrown.ts'

const maxLength = { where: 200, message: 1_000, stack: 2_000 }

/** Errors already reported: an error on every keystroke is reported once. */
const reported = new Set<string>()

/** Reports a failed plugin part to the service, so that operators see it among its errors. */
export function reportPluginError(plugin: string, where: string, error: unknown) {
  const message = messageOf(error)
  const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : undefined
  const key = `${plugin}\n${where}\n${message}`
  if (reported.has(key)) return
  reported.add(key)
  const body = {
    plugin,
    where: where.slice(0, maxLength.where),
    message: message.slice(0, maxLength.message),
    ...(stack === undefined ? {} : { stack: stack.slice(0, maxLength.stack) }),
  }
  // A failed report is ignored, since it does not help the user.
  api.send('POST', '/admin/panel-errors', { body }).catch(() => undefined)
}
