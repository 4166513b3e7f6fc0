import { usePausedText } from '../../../ground/kit/field/use-paused-text.ts'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import classes from './list-toolbar.module.css'

export interface SearchBoxProps {
  readonly label: string
  /** The current search text. */
  readonly text: string
  readonly onSearch: (text: string) => void
}

/** The search input; results update while typing. */
export function SearchBox({ label, text, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = usePausedText(text, onSearch)
  return (
    <div className={classes.search}>
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        className={classes.searchInput}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  )
}
