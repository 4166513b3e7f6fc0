import { Type } from 'typebox'
import { AppError, defineRoute, Reply, type Route } from '../../../foundation/http/http.ts'
import type { PluginModules } from '../plugin-modules.ts'

/** In characters: long enough for the first frames of a stack trace. */
const maxStackLength = 2_000

/**
 * Records an error that a plugin's module has thrown in a browser, like its errors on the server. At most one per minute and
 * plugin raises an alert, to prevent floods.
 */
export const reportErrorRoute = (modules: PluginModules): Route =>
  defineRoute({
    name: 'admin:panel-errors.create',
    method: 'POST',
    path: '/admin/panel-errors',
    summary: 'Reports an error of a plugin’s part of the panel',
    tag: 'Panel',
    access: 'admin-user',
    // Not audited, since it is not a user's action.
    audit: false,
    body: Type.Object(
      {
        plugin: Type.String({ maxLength: 100 }),
        where: Type.String({ maxLength: 200, description: 'The part of the panel: `entry panel seo:check`' }),
        message: Type.String({ maxLength: 1_000 }),
        stack: Type.Optional(Type.String({ maxLength: maxStackLength })),
      },
      { additionalProperties: false },
    ),
    handler({ body: { plugin, where, message, stack } }) {
      const error = new Error(message)
      error.stack = stack ?? `Error: ${message}`
      const isKnown = modules.report(plugin, `${where} (in a browser)`, error)
      if (!isKnown) throw AppError.notFound(`a panel module of ${plugin}`)
      return new Reply(202, { kind: 'data', data: null })
    },
  })
