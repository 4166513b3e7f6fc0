import { Type } from 'typebox'
import { AppError, defineRoute, Reply, type Route } from '../../../foundation/http/http.ts'
import type { PluginModules } from '../plugin-modules.ts'

/** Long enough for the first frames of a stack. */
const maxStackLength = 2_000

/**
 * Counts what a plugin's module has thrown in somebody's browser, as its errors on the server are counted. At most one a
 * minute and plugin becomes an alert, so nobody can flood them.
 */
export const reportErrorRoute = (modules: PluginModules): Route =>
  defineRoute({
    name: 'admin:panel-errors.create',
    method: 'POST',
    path: '/admin/panel-errors',
    summary: 'Reports an error of a plugin’s part of the panel',
    tag: 'Panel',
    access: 'admin-user',
    // Nobody has done anything, and the log of what people do is no place for what their browsers tell.
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
