import { useQuery } from '@tanstack/react-query'
import type { ContentAction, PanelDocument } from '../../../../../../client/admin.ts'
import { panelDocument } from './panel-document.ts'

/** Who is signed in, and what that allows. The service checks every request anew: this only hides what would fail. */
export interface Access {
  readonly user: PanelDocument['me']
  /** Has the areas of administrators: settings, people, operations. */
  readonly isAdministrator: boolean
  readonly isSuperAdmin: boolean
  /** May publish entries of some type. */
  readonly publishes: boolean
  /** Whether entries of a type may be read, created, updated, deleted or published. */
  mayContent(type: string, action: ContentAction): boolean
  /** Whether files of the library may be read, written or deleted; nobody may where there is no library. */
  mayMedia(action: 'read' | 'write' | 'delete'): boolean
  /** An area of administration: `mayArea('webhooks', 'write')`. Those of plugins that are off are nobody's. */
  mayArea(area: string, action?: 'read' | 'write'): boolean
  /** Whether a plugin of the service is on, `i18n` or `workflow`: what needs one that is off is not shown. */
  isOn(plugin: string): boolean
  /** A setting that every admin user may know, by its key; undefined where its plugin is off. */
  setting(key: string): unknown
}

/** What whoever is signed in may do. */
export function useAccess(): Access {
  return usePanelDocument(accessOf)
}

/** A part of what the panel has started with; `select` is a function outside of the component. */
export function usePanelDocument<T>(select: (document: PanelDocument) => T): T {
  const { data } = useQuery({ ...panelDocument, select })
  if (data === undefined) throw new Error('the panel is drawn after its document has come')
  return data
}

function accessOf({ me, permissions, plugins, settings }: PanelDocument): Access {
  const { content, media, areas, isAdministrator, isSuperAdmin } = permissions
  return {
    user: me,
    isAdministrator,
    isSuperAdmin,
    publishes: Object.values(content).some((actions) => actions.includes('publish')),
    mayContent: (type, action) => content[type]?.includes(action) ?? false,
    mayMedia: (action) => plugins.includes('media') && media.includes(action),
    mayArea: (area, action = 'read') => areas[area]?.includes(action) ?? false,
    isOn: (plugin) => plugins.includes(plugin),
    setting: (key) => settings[key],
  }
}
