import { keyLabels } from './combination.ts'
import classes from './keys.module.css'

/** Shows a combination as key caps; `keys` as in a `Shortcut`. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className={classes.keys}>
      {keyLabels(keys).map((label) => (
        <kbd key={label} className={classes.key}>
          {label}
        </kbd>
      ))}
    </span>
  )
}
