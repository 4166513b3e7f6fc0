import { useQuery } from '@tanstack/react-query'
import type { ContentAction, PanelDocument } from '../../../../../../client/admin.ts'
import { panelDocument } from './panel-document.ts'

/** The signed-in user and their permissions. The service checks every request itself: this only hides what it would refuse. */
export interface Access {
  readonly user: PanelDocument['me']
  /** Whether the user may open the areas for administrators: settings, people, operations. */
  readonly isAdministrator: boolean
  readonly isSuperAdmin: boolean
  /** Whether the user may publish entries of at least one type. */
  readonly publishes: boolean
  /** Whether entries of a type may be read, created, updated, deleted or published. */
  mayContent(type: string, action: ContentAction): boolean
  /** Whether files of the library may be read, written or deleted; false if the media plugin is off. */
  mayMedia(action: 'read' | 'write' | 'delete'): boolean
  /** Whether an area of administration may be read or written: `mayArea('webhooks', 'write')`. False if its plugin is off. */
  mayArea(area: string, action?: 'read' | 'write'): boolean
  /** Whether a plugin of the service is on, such as `i18n` or `workflow`; parts that need a plugin that is off are not shown. */
  isOn(plugin: string): boolean
  /** A setting visible to every admin user, by its key; undefined if its plugin is off. */
  setting(key: string): unknown
}

/** The signed-in user's access. */
export function useAccess(): Access {
  return usePanelDocument(accessOf)
}

/** A part of the panel document; define `select` outside of the component. */
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
