import type { ComponentType } from 'react'
import type { DescribedAttribute } from '../../../../client/admin.ts'
import type { Access } from './data.ts'
import type { FieldFrameProps } from './kit.ts'

/** A plugin's contributions to the panel as code. Names begin with the plugin's own: `seo:check`, `seo.score`. */
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
  /** Actions for the selected entries of a list. */
  readonly listActions?: readonly ListAction[]
  /**
   * Forms that replace the ones generated from a `configSchema`, by category: `plugins.seo`. A component reads and writes with
   * `useSettings(category)`, and is shown below the heading of the screen.
   */
  readonly settings?: Readonly<Record<string, ComponentType>>
}

/** A part of the panel that may be hidden from some users. */
export interface Shown {
  /** Whether the user may see it; the service checks their requests independently. Default: every user. */
  readonly mayShow?: (access: Access) => boolean
}

/** A screen. Its component must render a `<Page title>`. */
export interface PanelPage extends Shown {
  /** Relative to `/admin/x/<plugin>/`, in lower case: `report`; '' for the plugin's first page. */
  readonly path: string
  /** The label in the navigation; without it, the page is reached from others. */
  readonly label?: string
  /** The name of a lucide.dev icon that the panel contains; see docs/panel-plugins.md. */
  readonly icon?: string
  readonly component: ComponentType
}

/** A tile of the home page: its title, and a component for its content. */
export interface PanelWidget extends Shown {
  /** `<plugin>:<what>`. */
  readonly id: string
  readonly title: string
  readonly icon?: string
  /** `m` is as wide as the panel's own tiles, `l` as two of them. */
  readonly size?: 'm' | 'l'
  readonly component: ComponentType
}

/** A part of lists or entries that may be limited to some types. */
export interface ShownForTypes extends Shown {
  /** Names of content types; default: all of them. */
  readonly types?: readonly string[]
}

/** A built-in field type whose display, comparison, sorting and filters a plugin's type can reuse. */
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

/** How the panel handles a field type or widget. */
export interface PanelField {
  readonly input: ComponentType<FieldInputProps>
  /**
   * For a field type: the built-in type with the same kind of values. Lists then sort and filter by such fields, bulk changes can
   * set them, and versions are compared as for that type, so the field type on the server must accept the same filter operators.
   * Without it, lists show the value as text and neither sort nor filter by it.
   */
  readonly valuesLike?: ValuesLike
  /** The cell in lists; without it, a column shows the value as text, or like the values named by `valuesLike`. */
  readonly cell?: ComponentType<{ readonly value: unknown; readonly attribute: DescribedAttribute }>
}

/** Props of a field's input; its value comes from `useField(path)`. */
export interface FieldInputProps {
  readonly path: string
  readonly attribute: DescribedAttribute
  /** For the kit's fields: `<TextField {...frame} … />`. */
  readonly frame: Pick<FieldFrameProps, 'label' | 'help' | 'isRequired'>
  readonly placeholder: string | undefined
}

/** A column that users can choose in lists of the types. */
export interface PanelColumn extends ShownForTypes {
  /** `<plugin>:<what>`. */
  readonly id: string
  readonly label: string
  /** Whether it is shown by default. */
  readonly isShownAtFirst?: boolean
  /** Loads values by id for all rows that have just become visible, in one request. */
  readonly load?: (request: {
    readonly type: string
    readonly ids: readonly number[]
  }) => Promise<Readonly<Record<number, unknown>>>
  /** `value` is the result of `load` for the entry; undefined until then, and if it returned none. */
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
  /** Runs the action; the entry is reloaded afterwards, and a thrown error is shown. */
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
  /** Runs the action; the list is reloaded afterwards. A thrown error is shown, and the entries stay selected. */
  readonly run: (selection: {
    readonly type: string
    /** At most 1,000, the maximum that the API changes at once. */
    readonly ids: readonly number[]
  }) => unknown
}

/** Types the definition; use it as the module's default export: `export default definePanelModule({ … })`. */
export declare function definePanelModule(definition: PanelModuleDefinition): PanelModuleDefinition
