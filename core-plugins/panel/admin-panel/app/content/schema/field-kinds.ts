import { type ComponentType, useSyncExternalStore } from 'react'
import type { DescribedAttribute } from '../../ground/api/content-types.ts'
import type { FieldFrameProps } from '../../ground/kit/field/field.tsx'
import type { MergeValues } from './merged.ts'

/** Props of a field's input; its value comes from `useField(path)`. */
export interface FieldInputProps {
  readonly path: string
  readonly attribute: DescribedAttribute
  /** For the kit's fields; without the problem, which `useField` knows. */
  readonly frame: Pick<FieldFrameProps, 'label' | 'help' | 'isRequired'>
  readonly placeholder: string | undefined
}

/** Props of a component that shows a read-only value. */
export interface ReadValueProps {
  readonly path: string
  /** Never null, undefined or an empty string; otherwise any type that the service stores. */
  readonly value: unknown
}

/** How the panel handles a field type, or a widget that an attribute names. */
export interface FieldKind {
  /** Wrap heavy ones in `lazyPart`: the form shows a skeleton until they are there. */
  readonly input: ComponentType<FieldInputProps>
  /** Shown instead of the input to users who may only read; by default the input itself is shown read-only. */
  readonly read?: ComponentType<ReadValueProps>
  /** In lists. */
  readonly cell?: ComponentType<{ readonly value: unknown; readonly attribute: DescribedAttribute }>
  /** The value in a new entry that sets no default; null without it. */
  readonly empty?: (attribute: DescribedAttribute) => unknown
  /** Merges two changed versions of a value; by default it depends on the value's shape: see entry/merge. */
  readonly merge?: MergeValues
  /** True where the label names a group of inputs: repeatable components, zones. */
  readonly isGroup?: boolean
}

const builtIn = new Map<string, FieldKind>()
let contributed: ReadonlyMap<string, FieldKind> = new Map()
const listeners = new Set<() => void>()

/** Registers a field type, or a widget that attributes choose by `pluginOptions.panel.widget`. */
export function registerField(name: string, kind: FieldKind) {
  builtIn.set(name, kind)
}

/** Registers a plugin's field type or widget once its code is loaded; it replaces a built-in one of the same name. */
export function contributeField(name: string, kind: FieldKind) {
  contributed = new Map([...contributed, [name, kind]])
  for (const listener of listeners) listener()
}

/** The kind of an attribute: its widget if known, else its type, else JSON source. */
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

/** Like `fieldKindOf`, for components: they render again when a plugin's code is loaded. */
export function useFieldKind(attribute: DescribedAttribute): FieldKind | undefined {
  useSyncExternalStore(subscribe, () => contributed)
  return fieldKindOf(attribute)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** An attribute's options for the panel, as far as they are valid. */
export interface PanelOptions {
  readonly label?: string
  readonly help?: string
  readonly placeholder?: string
  readonly width?: 'half' | 'third'
  readonly group?: string
  readonly tab?: string
  readonly widget?: string
}

/**
 * Reads `pluginOptions.panel`; values of the wrong type are ignored, so that a mistake in a schema file does not break the form.
 */
export function panelOptionsOf({ pluginOptions }: Pick<DescribedAttribute, 'pluginOptions'>): PanelOptions {
  const options = pluginOptions?.panel
  if (typeof options !== 'object' || options === null) return {}
  return Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value === 'string'))
}
