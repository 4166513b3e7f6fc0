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
  /** `primary` once a screen, for what one came to do. */
  readonly look?: 'primary' | 'secondary' | 'plain' | 'danger'
  readonly size?: 's' | 'm'
  readonly icon?: string
  readonly type?: 'button' | 'submit'
  /** The id of the form that it sends. */
  readonly form?: string
  readonly isDisabled?: boolean
  /** It keeps its width, and cannot be pressed again. */
  readonly isPending?: boolean
  readonly onPress?: () => void
  readonly children: ReactNode
}

export declare const Button: ComponentType<ButtonProps>

/** A button with a picture only; `label` says what it does. */
export declare const IconButton: ComponentType<
  Omit<ButtonProps, 'children' | 'icon'> & { readonly icon: string; readonly label: string }
>

/** A state in a word. */
export declare const Badge: ComponentType<{
  readonly tone?: 'neutral' | 'info' | 'success' | 'warning' | 'danger'
  readonly children: ReactNode
}>

/** A picture beside words, by the name of lucide.dev; a square if the panel does not have it. */
export declare const Icon: ComponentType<{
  readonly name: string
  readonly size?: 's' | 'm' | 'l'
  readonly className?: string | undefined
}>

/** Leads to another screen, by its path without `/admin`: `/content/article`. */
export declare const Link: ComponentType<{
  readonly to: string
  readonly className?: string | undefined
  readonly children: ReactNode
}>

/** What all inputs have. */
export interface FieldFrameProps {
  readonly label: string
  readonly help?: ReactNode
  readonly problem?: string | undefined
  readonly isRequired?: boolean
  readonly isLabelHidden?: boolean
}

/** What ties an input of one's own to its label, help and problem. */
export interface FieldIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly required: boolean
}

/** Label, input, help and problem, for an input of one's own. */
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

/** Keeps what was typed; empty for none. */
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

/** One of a few. */
export declare const Select: ComponentType<
  FieldFrameProps & {
    readonly value: string
    readonly onChange: (value: string) => void
    readonly options: readonly { readonly value: string; readonly label: string }[]
    /** The choice of none, first in the list. */
    readonly placeholder?: string
    readonly isDisabled?: boolean
  }
>

interface ChoiceProps {
  readonly children?: ReactNode
  /** For one without words beside it. */
  readonly label?: string
  readonly isSelected?: boolean
  readonly isDisabled?: boolean
  readonly onChange?: (isSelected: boolean) => void
}

/** One thing that is so or not, and takes effect when the form is sent. */
export declare const Checkbox: ComponentType<ChoiceProps>

/** One thing that is on or off, and takes effect at once. */
export declare const Switch: ComponentType<ChoiceProps>

/** A box over the page that asks for an answer. */
export declare const Dialog: ComponentType<{
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons at the bottom, the one that does it last. */
  readonly actions?: ReactNode
  readonly size?: 's' | 'm' | 'l'
}>

/** Asks before something that cannot be taken back. */
export declare const Confirm: ComponentType<{
  readonly title: string
  readonly children: ReactNode
  /** The verb of what happens: "Delete 3 entries". */
  readonly action: string
  readonly isOpen: boolean
  readonly isDangerous?: boolean
  readonly isPending?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}>

/** Stands where there is nothing yet, and says the next step. */
export declare const EmptyState: ComponentType<{
  readonly icon: string
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}>

/** Several things in one place, one at a time. */
export declare const Tabs: ComponentType<{
  readonly label: string
  readonly items: readonly { readonly id: string; readonly label: ReactNode; readonly content: ReactNode }[]
}>

/** Keeps the place of lines that are being fetched. */
export declare const Skeleton: ComponentType<{ readonly lines?: number }>

export declare const Spinner: ComponentType<Record<never, never>>
