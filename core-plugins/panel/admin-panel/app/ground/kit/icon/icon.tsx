import names from 'panel:icon-names'
import sprite from 'panel:icons'
import classes from './icon.module.css'

const known: ReadonlySet<string> = new Set(names)

export interface IconProps {
  /** The name on lucide.dev of an icon in lucide/; an unknown name shows a plain square. */
  readonly name: string
  readonly size?: 's' | 'm' | 'l'
  readonly className?: string | undefined
}

/** An icon beside text. It is hidden from screen readers, so the text must say everything. */
export function Icon({ name, size = 'm', className = '' }: IconProps) {
  const shown = known.has(name) ? name : 'square'
  return (
    <svg className={`${classes.icon} ${classes[size]} ${className}`} aria-hidden="true" focusable="false">
      <use href={`${sprite}#${shown}`} />
    </svg>
  )
}
