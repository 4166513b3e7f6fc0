import type { ComponentType, ReactNode } from 'react'

/** The frame of every screen: its heading, the title of the tab, and buttons. */
export declare const Page: ComponentType<{
  readonly title: string
  /** Beside the title: a badge, a count. */
  readonly aside?: ReactNode
  /** Buttons at the right, the most important one last. */
  readonly actions?: ReactNode
  /** `text` for forms and reading, `full` for grids. */
  readonly width?: 'text' | 'full'
  readonly children: ReactNode
}>

export interface ButtonProps {
  /** `primary` once per screen, for the main action. */
  readonly look?: 'primary' | 'secondary' | 'plain' | 'danger'
  readonly size?: 's' | 'm'
  readonly icon?: string
  readonly type?: 'button' | 'submit'
  /** The id of the form to submit. */
  readonly form?: string
  readonly isDisabled?: boolean
  /** While true, it keeps its width and cannot be pressed again. */
  readonly isPending?: boolean
  readonly onPress?: () => void
  readonly children: ReactNode
}

export declare const Button: ComponentType<ButtonProps>

/** A button with only an icon; `label` names the action. */
export declare const IconButton: ComponentType<
  Omit<ButtonProps, 'children' | 'icon'> & { readonly icon: string; readonly label: string }
>

/** A state in a word. */
export declare const Badge: ComponentType<{
  readonly tone?: 'neutral' | 'info' | 'success' | 'warning' | 'danger'
  readonly children: ReactNode
}>

/** An icon beside text, by its lucide.dev name; a square if the panel does not contain it. */
export declare const Icon: ComponentType<{
  readonly name: string
  readonly size?: 's' | 'm' | 'l'
  readonly className?: string | undefined
}>

/** A link to another screen, by its path without `/admin`: `/content/article`. */
export declare const Link: ComponentType<{
  readonly to: string
  readonly className?: string | undefined
  readonly children: ReactNode
}>

/** Props of all inputs. */
export interface FieldFrameProps {
  readonly label: string
  readonly help?: ReactNode
  readonly problem?: string | undefined
  readonly isRequired?: boolean
  readonly isLabelHidden?: boolean
}

/** The ids that connect a custom input with its label, help and problem. */
export interface FieldIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly required: boolean
}

/** A frame with label, help and problem for a custom input. */
export declare const FieldFrame: ComponentType<
  FieldFrameProps & { readonly children: (ids: FieldIds) => ReactNode }
>

export declare const TextField: ComponentType<
  FieldFrameProps & {
    readonly value: string
    readonly onChange: (value: string) => void
    readonly type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'tel' | 'date' | 'time' | 'color'
    readonly name?: string
    readonly placeholder?: string
    readonly isDisabled?: boolean
    readonly autoComplete?: string
  }
>

export declare const TextArea: ComponentType<
  FieldFrameProps & {
    readonly value: string
    readonly onChange: (value: string) => void
    readonly name?: string
    readonly placeholder?: string
    readonly isDisabled?: boolean
  }
>

/** A number input that keeps the typed text; '' for none. */
export declare const NumberField: ComponentType<
  FieldFrameProps & {
    readonly value: string
    readonly onChange: (value: string) => void
    readonly min?: number
    readonly max?: number
    readonly isInteger?: boolean
    readonly isDisabled?: boolean
  }
>

/** A choice from a few options. */
export declare const Select: ComponentType<
  FieldFrameProps & {
    readonly value: string
    readonly onChange: (value: string) => void
    readonly options: readonly { readonly value: string; readonly label: string }[]
    /** The label of the empty choice, first in the list. */
    readonly placeholder?: string
    readonly isDisabled?: boolean
  }
>

interface ChoiceProps {
  readonly children?: ReactNode
  /** The accessible name of a control without visible text. */
  readonly label?: string
  readonly isSelected?: boolean
  readonly isDisabled?: boolean
  readonly onChange?: (isSelected: boolean) => void
}

/** A checkbox; it takes effect when the form is sent. */
export declare const Checkbox: ComponentType<ChoiceProps>

/** A switch; it takes effect immediately. */
export declare const Switch: ComponentType<ChoiceProps>

/** A modal dialog. */
export declare const Dialog: ComponentType<{
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons at the bottom, the main action last. */
  readonly actions?: ReactNode
  readonly size?: 's' | 'm' | 'l'
}>

/** Asks for confirmation before an action. */
export declare const Confirm: ComponentType<{
  readonly title: string
  readonly children: ReactNode
  /** The label of the confirm button, with a verb: "Delete 3 entries". */
  readonly action: string
  readonly isOpen: boolean
  readonly isDangerous?: boolean
  readonly isPending?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}>

/** Shown where there is nothing yet, with the next step. */
export declare const EmptyState: ComponentType<{
  readonly icon: string
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}>

/** Tabs. */
export declare const Tabs: ComponentType<{
  readonly label: string
  readonly items: readonly { readonly id: string; readonly label: ReactNode; readonly content: ReactNode }[]
}>

/** A placeholder for lines that are loading. */
export declare const Skeleton: ComponentType<{ readonly lines?: number }>

export declare const Spinner: ComponentType<Record<never, never>>
