import { Type } from 'typebox'
import serviceManifest from '../../../../package.json' with { type: 'json' }
import { defineRoute, Reply, type Route, type RouteRequest, strict } from '../../../foundation/http/http.ts'
import { type ShownItems, shownItemsSchema } from '../../extensions/extensions.ts'
import type { ShownModule } from '../plugin-modules.ts'
import type { CallerPermissions } from './caller-permissions.ts'

const actions = Type.Array(Type.String())

const documentSchema = Type.Object(
  {
    me: Type.Object({ id: Type.Integer(), username: Type.String(), role: Type.String() }, strict),
    permissions: Type.Object(
      {
        content: Type.Record(Type.String(), actions, {
          description:
            'By type: read, create, update, delete, publish. Types that are not readable are not there',
        }),
        media: Type.Array(Type.String(), { description: 'read, write, delete' }),
        areas: Type.Record(Type.String(), actions, {
          description: 'read and write, by area: backups, jobs …',
        }),
        isAdministrator: Type.Boolean(),
        isSuperAdmin: Type.Boolean(),
      },
      strict,
    ),
    plugins: Type.Array(Type.String(), { description: 'Names of the plugins that are on' }),
    items: shownItemsSchema,
    modules: Type.Array(
      Type.Object(
        {
          plugin: Type.String(),
          url: Type.String({ description: 'Empty for one that could not be bundled' }),
          styles: Type.Optional(Type.String({ description: 'Its style sheet' })),
          problem: Type.Optional(Type.String()),
        },
        strict,
      ),
      { description: 'What plugins add to the panel as code: ES modules to import' },
    ),
    settings: Type.Record(Type.String(), Type.Unknown(), { description: 'By key' }),
    theme: Type.String({ description: 'Its name; empty: that of the panel itself' }),
    versions: Type.Object({ mortise: Type.String() }, strict),
  },
  strict,
)

export interface PanelDocumentParts {
  readonly permissionsOf: (principal: RouteRequest['principal']) => CallerPermissions
  readonly itemsFor: (request: RouteRequest) => Promise<ShownItems>
  /** Names of the plugins that are on. */
  readonly plugins: () => readonly string[]
  readonly modules: () => Promise<readonly ShownModule[]>
  readonly settings: () => Readonly<Record<string, unknown>>
  readonly theme: () => string
}

/** Serves everything that the panel needs before its first render, in one response. */
export const panelDocumentRoute = (parts: PanelDocumentParts): Route =>
  defineRoute({
    name: 'admin:panel.read',
    method: 'GET',
    path: '/admin/panel',
    summary: 'What the panel starts with: the caller, permissions, plugins, settings',
    tag: 'Panel',
    access: 'admin-user',
    response: documentSchema,
    async handler(request) {
      const { principal } = request
      const { id, username, role } = principal as Extract<typeof principal, { kind: 'admin' }>
      const data = {
        me: { id, username, role },
        permissions: parts.permissionsOf(principal),
        plugins: parts.plugins(),
        items: await parts.itemsFor(request as RouteRequest),
        modules: await parts.modules(),
        settings: parts.settings(),
        theme: parts.theme(),
        versions: { mortise: serviceManifest.version },
      }
      return new Reply(
        200,
        { kind: 'data', data },
        { 'cache-control': 'private, no-cache', vary: 'authorization' },
      )
    },
  })
