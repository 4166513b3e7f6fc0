import { type Static, Type } from 'typebox'
import {
  type ExtensionPoint,
  extensionPoint,
  PluginFault,
  type ServiceToken,
  service,
} from '../../../kernel/index.ts'
import {
  type Access,
  type AccessRule,
  compileAccess,
  defineRoute,
  type GuardRequest,
  policies,
  type Route,
  type RouteRequest,
  routeGuards,
  strict,
} from '../../foundation/http/http.ts'

/** An item that a plugin adds to the panel, visible to callers with the `access` and `policies` given, as with a route. */
export type PanelItem = NavigationItem | DashboardWidget | SettingsSection

interface ItemOfPanel {
  /** `<plugin>:<what>`, unique. */
  readonly id: string
  /** A short label. */
  readonly label: string
  /** Name of an icon that the panel knows. */
  readonly icon?: string
  /** Lower comes first; default 0. */
  readonly order?: number
  readonly access: Access
  readonly policies?: readonly string[]
  /** The third-party plugin that owns it; set by the service. */
  readonly owner?: string
}

/** An entry of the navigation. */
export interface NavigationItem extends ItemOfPanel {
  readonly kind: 'navigation'
  /** A path on this server, or an https address. */
  readonly href: string
}

/** A dashboard tile that shows the `data` of a GET. */
export interface DashboardWidget extends ItemOfPanel {
  readonly kind: 'widget'
  /** The path of its data, below the API prefix: `/x/seo/summary`. */
  readonly source: string
  /** How it is displayed. */
  readonly display: 'number' | 'text' | 'list' | 'table'
}

/** A section of the settings page, which shows a category of the settings. */
export interface SettingsSection extends ItemOfPanel {
  readonly kind: 'settings'
  /** `plugins.seo` */
  readonly category: string
}

/** Items of the navigation, widgets and sections of settings. Contribute in `register` or `init`. */
export const panelItems: ExtensionPoint<PanelItem> = extensionPoint('panelItems')

/**
 * Returns everything that is wrong with an item; links are shown to administrators, so they must not run
 * scripts.
 */
export function panelItemProblems(item: PanelItem): string[] {
  const checks: [boolean, string][] = [
    [typeof item.label === 'string' && item.label !== '', 'must have a label'],
    [typeof item.access === 'string', 'must say who has access'],
    [
      ['navigation', 'widget', 'settings'].includes(item.kind),
      'must be of the kind navigation, widget or settings',
    ],
    [item.kind !== 'navigation' || isLink(item.href), 'must have an href of /path or https://…'],
    [item.kind !== 'widget' || isPath(item.source), 'must have a source of /path'],
    [item.kind !== 'settings' || typeof item.category === 'string', 'must name a category'],
  ]
  return checks.filter(([isRight]) => !isRight).map(([, message]) => message)
}

const isPath = (text: unknown) => typeof text === 'string' && /^\/(?!\/)[^\s\\]*$/.test(text)
const isLink = (text: unknown) =>
  isPath(text) || (typeof text === 'string' && /^https:\/\/[^\s\\]+$/.test(text))

const shown = {
  id: Type.String(),
  label: Type.String(),
  icon: Type.Optional(Type.String()),
}

/** The items visible to a caller, as sent to clients. */
export const shownItemsSchema = Type.Object(
  {
    navigation: Type.Array(Type.Object({ ...shown, href: Type.String() }, strict)),
    widgets: Type.Array(Type.Object({ ...shown, source: Type.String(), display: Type.String() }, strict)),
    settings: Type.Array(Type.Object({ ...shown, category: Type.String() }, strict)),
  },
  strict,
)

/** Items as callers see them, by kind. */
export type ShownItems = Static<typeof shownItemsSchema>

/** The panel items of plugins for the caller of a request. */
export interface PanelItems {
  visibleTo(request: RouteRequest): Promise<ShownItems>
}

export const panelItemsService: ServiceToken<PanelItems> = service('shownPanelItems')

/** Filters items by the caller's permissions; `items` is complete once the service has started. */
export const createPanelItems = (parts: { readonly items: readonly CheckedItem[] }): PanelItems => ({
  async visibleTo(request) {
    const { principal, path, method } = request
    const adminUser = principal.kind === 'admin' ? principal : undefined
    const header = (name: string) => request.header(name)
    const asked: GuardRequest = { principal, adminUser, params: {}, path, method, header }
    const visible = await Promise.all(parts.items.map(({ mayBeSeen }) => mayBeSeen(asked)))
    const items = parts.items.filter((_, index) => visible[index]).map(({ item }) => item)
    return {
      navigation: items.flatMap((item) =>
        item.kind === 'navigation' ? [{ ...head(item), href: item.href }] : [],
      ),
      widgets: items.flatMap((item) =>
        item.kind === 'widget' ? [{ ...head(item), source: item.source, display: item.display }] : [],
      ),
      settings: items.flatMap((item) =>
        item.kind === 'settings' ? [{ ...head(item), category: item.category }] : [],
      ),
    }
  },
})

/** Serves the items that the caller may see. */
export const panelItemsRoute = (panelItems: PanelItems): Route =>
  defineRoute({
    name: 'admin:panel-items.list',
    method: 'GET',
    path: '/admin/panel-items',
    summary: 'What plugins add to the panel: navigation, widgets, sections of the settings',
    tag: 'Panel',
    access: 'admin-user',
    response: shownItemsSchema,
    handler: (request) => panelItems.visibleTo(request as RouteRequest),
  })

const head = ({ id, label, icon }: PanelItem) => ({ id, label, ...(icon === undefined ? {} : { icon }) })

/** An item with its permission check. */
export interface CheckedItem {
  readonly item: PanelItem
  readonly mayBeSeen: (request: GuardRequest) => Promise<boolean>
}

type Contributions = <T>(point: ExtensionPoint<T>) => readonly T[]

/** Compiles the permission checks of items, by the rules for routes. */
export function checkItems(contributions: Contributions): CheckedItem[] {
  const rules = { policies: contributions(policies), guards: contributions(routeGuards) }
  const inOrder = [...contributions(panelItems)].sort((left, right) => (left.order ?? 0) - (right.order ?? 0))
  return inOrder.map((item) => {
    const check = blameOwner(item, () => compileAccess(ruleOf(item), rules))
    return {
      item,
      async mayBeSeen(request) {
        try {
          await check(request)
          return true
        } catch {
          // An item whose check throws is hidden; the plugin's adapter has reported the error.
          return false
        }
      },
    }
  })
}

const ruleOf = ({ id, access, policies: names = [] }: PanelItem): AccessRule => ({
  name: id,
  method: 'GET',
  access,
  policies: names,
})

function blameOwner<T>({ owner }: PanelItem, compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    throw owner === undefined ? error : new PluginFault(owner, error)
  }
}
