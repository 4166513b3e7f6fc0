import names from 'panel:icon-names'
import sprite from 'panel:icons'
import classes from './icon.module.css'

const known: ReadonlySet<string> = new Set(names)

export interface IconProps {
  /** The name that lucide.dev gives it, of a file in lucide/; another one shows a plain square. */
  readonly name: string
  readonly size?: 's' | 'm' | 'l'
  readonly className?: string | undefined
}

/** A picture beside words. It says nothing to screen readers: what it means stands in the words. */
export function Icon({ name, size = 'm', className = '' }: IconProps) {
  const shown = known.has(name) ? name : 'square'
  return (
    <svg className={`${classes.icon} ${classes[size]} ${className}`} aria-hidden="true" focusable="false">
      <use href={`${sprite}#${shown}`} />
    </svg>
  )
}
