import { type ComponentType, useSyncExternalStore } from 'react'
import type { DescribedAttribute } from '../../ground/api/content-types.ts'
import type { FieldFrameProps } from '../../ground/kit/field/field.tsx'
import type { MergeValues } from './merged.ts'

/** What the input of a field gets; its value comes from `useField(path)`. */
export interface FieldInputProps {
  readonly path: string
  readonly attribute: DescribedAttribute
  /** For the kit's fields; without the problem, which `useField` knows. */
  readonly frame: Pick<FieldFrameProps, 'label' | 'help' | 'isRequired'>
  readonly placeholder: string | undefined
}

/** What shows a value to those who may only read it. */
export interface ReadValueProps {
  readonly path: string
  /** Never null, undefined or an empty text; otherwise whatever the service holds. */
  readonly value: unknown
}

/** What the panel knows of a type of field, or of a widget that an attribute asks for. */
export interface FieldKind {
  /** Wrap heavy ones in `lazyPart`: the form shows a skeleton until they are there. */
  readonly input: ComponentType<FieldInputProps>
  /** For those who may only read it, in place of the input; without it, the input itself shows that it is not to be changed. */
  readonly read?: ComponentType<ReadValueProps>
  /** In lists. */
  readonly cell?: ComponentType<{ readonly value: unknown; readonly attribute: DescribedAttribute }>
  /** The value in a new entry that sets no default; null without it. */
  readonly empty?: (attribute: DescribedAttribute) => unknown
  /** How two changes of one value come together; else by its shape: see entry/merge. */
  readonly merge?: MergeValues
  /** True where the label names a group of inputs: repeatable components, zones. */
  readonly isGroup?: boolean
}

const builtIn = new Map<string, FieldKind>()
let contributed: ReadonlyMap<string, FieldKind> = new Map()
const listeners = new Set<() => void>()

/** Makes a type of field known, or a widget that attributes choose by `pluginOptions.panel.widget`. */
export function registerField(name: string, kind: FieldKind) {
  builtIn.set(name, kind)
}

/** The same for one of a plugin, whenever its code has come; it stands in for a built-in one of that name. */
export function contributeField(name: string, kind: FieldKind) {
  contributed = new Map([...contributed, [name, kind]])
  for (const listener of listeners) listener()
}

/** The kind of an attribute: its widget if that is known, else its type, else the source of its value. */
export function fieldKindOf(attribute: DescribedAttribute): FieldKind | undefined {
  const widget = isSlug(attribute) ? 'slug' : panelOptionsOf(attribute).widget
  return (
    (widget === undefined ? undefined : kindNamed(widget)) ?? kindNamed(attribute.type) ?? kindNamed('json')
  )
}

/** Whether a field holds a slug: by its widget, or as a string of that name. */
export function isSlug({ name, type, pluginOptions }: DescribedAttribute): boolean {
  const { widget } = (pluginOptions?.panel ?? {}) as { readonly widget?: unknown }
  return widget === 'slug' || (widget === undefined && type === 'string' && name === 'slug')
}

const kindNamed = (name: string) => contributed.get(name) ?? builtIn.get(name)

/** The same for a component, which is drawn anew when a plugin's code has come. */
export function useFieldKind(attribute: DescribedAttribute): FieldKind | undefined {
  useSyncExternalStore(subscribe, () => contributed)
  return fieldKindOf(attribute)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What an attribute says about itself to the panel alone, as far as it is well-formed. */
export interface PanelOptions {
  readonly label?: string
  readonly help?: string
  readonly placeholder?: string
  readonly width?: 'half' | 'third'
  readonly group?: string
  readonly tab?: string
  readonly widget?: string
}

/** `pluginOptions.panel`; what is of another kind there is left out, so that a slip in a file does not break a form. */
export function panelOptionsOf({ pluginOptions }: Pick<DescribedAttribute, 'pluginOptions'>): PanelOptions {
  const options = pluginOptions?.panel
  if (typeof options !== 'object' || options === null) return {}
  return Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value === 'string'))
}
