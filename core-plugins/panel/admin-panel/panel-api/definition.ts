import type { ComponentType } from 'react'
import type { DescribedAttribute } from '../../../../client/admin.ts'
import type { Access } from './data.ts'
import type { FieldFrameProps } from './kit.ts'

/** What a plugin adds to the panel as code. Names begin with the plugin's own: `seo:check`, `seo.score`. */
export interface PanelModuleDefinition {
  /** Screens at `/admin/x/<plugin>/<path>`. */
  readonly pages?: readonly PanelPage[]
  /** Tiles of the home page. */
  readonly widgets?: readonly PanelWidget[]
  /**
   * Inputs by the name of a field type of the plugin, or of a widget that attributes ask for:
   * `pluginOptions.panel.widget: 'seo.score'`.
   */
  readonly fields?: Readonly<Record<string, PanelField>>
  /** Columns of lists. */
  readonly columns?: readonly PanelColumn[]
  /** Parts beside the form of an entry. */
  readonly entryPanels?: readonly EntryPanel[]
  /** Buttons in the title bar of an entry. */
  readonly entryActions?: readonly EntryAction[]
  /** What can be done with the entries that are selected in a list. */
  readonly listActions?: readonly ListAction[]
  /**
   * Forms in place of the one that the panel makes from a `configSchema`, by the category: `plugins.seo`. A component
   * reads and writes by `useSettings(category)`, and stands below the heading of the screen.
   */
  readonly settings?: Readonly<Record<string, ComponentType>>
}

/** A part of the panel that not everybody sees. */
export interface Shown {
  /** Whether whoever is signed in may see it; the service checks their requests all the same. Default: everybody. */
  readonly mayShow?: (access: Access) => boolean
}

/** A screen. Its component begins with `<Page title>`. */
export interface PanelPage extends Shown {
  /** Below `/admin/x/<plugin>/`, in lower case: `report`; empty for the plugin's first page. */
  readonly path: string
  /** In the navigation; without it, the page is reached from others. */
  readonly label?: string
  /** A name of lucide.dev that the panel has; see docs/panel-plugins.md. */
  readonly icon?: string
  readonly component: ComponentType
}

/** A tile of the home page: its title, and what the component draws. */
export interface PanelWidget extends Shown {
  /** `<plugin>:<what>`. */
  readonly id: string
  readonly title: string
  readonly icon?: string
  /** `m` is as wide as the panel's own tiles, `l` as two of them. */
  readonly size?: 'm' | 'l'
  readonly component: ComponentType
}

/** A part of lists or entries of some types. */
export interface ShownForTypes extends Shown {
  /** Names of content types; default: all of them. */
  readonly types?: readonly string[]
}

/** A field type whose values the panel knows how to show, compare, sort and filter by. */
export type ValuesLike =
  | 'string'
  | 'text'
  | 'richtext'
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'enum'
  | 'json'

/** What the panel has to know of a field type, or of a widget. */
export interface PanelField {
  readonly input: ComponentType<FieldInputProps>
  /**
   * For a field type: the built-in type whose values are of the same kind. Lists then sort and filter by such fields, bulk
   * changes set them, and versions are compared as for that type, so the field type on the server must take the same
   * filter operators. Without it, lists show the value as text and neither sort nor filter by it.
   */
  readonly valuesLike?: ValuesLike
  /** In lists; without it, a column shows the value as text, or like the values named by `valuesLike`. */
  readonly cell?: ComponentType<{ readonly value: unknown; readonly attribute: DescribedAttribute }>
}

/** What the input of a field gets; its value comes from `useField(path)`. */
export interface FieldInputProps {
  readonly path: string
  readonly attribute: DescribedAttribute
  /** For the kit's fields: `<TextField {...frame} … />`. */
  readonly frame: Pick<FieldFrameProps, 'label' | 'help' | 'isRequired'>
  readonly placeholder: string | undefined
}

/** A column of lists, which people choose among those of the type. */
export interface PanelColumn extends ShownForTypes {
  /** `<plugin>:<what>`. */
  readonly id: string
  readonly label: string
  /** It is there before anybody has chosen columns. */
  readonly isShownAtFirst?: boolean
  /** Values by id, of all rows that have just come into view: one request, not one a row. */
  readonly load?: (request: {
    readonly type: string
    readonly ids: readonly number[]
  }) => Promise<Readonly<Record<number, unknown>>>
  /** `value` is what `load` has answered for the entry; undefined until then, and where it has answered none. */
  readonly cell: ComponentType<{
    readonly value: unknown
    readonly entry: Readonly<Record<string, unknown>> & { readonly id: number }
  }>
}

/** A part beside the form. Its component reads the entry by `useEntry()`. */
export interface EntryPanel extends ShownForTypes {
  /** `<plugin>:<what>`. */
  readonly id: string
  readonly label: string
  readonly icon?: string
  readonly component: ComponentType
}

/** A button in the title bar of an entry that has been saved. */
export interface EntryAction extends ShownForTypes {
  /** `<plugin>:<what>`. */
  readonly id: string
  readonly label: string
  readonly icon?: string
  /** The entry is read anew when it is done. What it throws is shown. */
  readonly run: (entry: {
    readonly type: string
    readonly id: number
    readonly locale: string | undefined
  }) => unknown
}

/** A button above the rows of a list while some are selected. */
export interface ListAction extends ShownForTypes {
  /** `<plugin>:<what>`. */
  readonly id: string
  readonly label: string
  readonly icon?: string
  /** The list is read anew when it is done. What it throws is shown, and the entries stay selected. */
  readonly run: (selection: {
    readonly type: string
    /** At most 1,000, as many as the API changes at once. */
    readonly ids: readonly number[]
  }) => unknown
}

/** Types the definition; a module exports it: `export default definePanelModule({ … })`. */
export declare function definePanelModule(definition: PanelModuleDefinition): PanelModuleDefinition
