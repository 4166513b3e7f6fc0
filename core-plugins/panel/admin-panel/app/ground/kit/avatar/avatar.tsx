import classes from './avatar.module.css'
import { initialsOf } from './initials.ts'

/** A user's initials; their name must be next to it, or in `label`. */
export function Avatar({ username, label }: { readonly username: string; readonly label?: string }) {
  const said = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <span {...said} className={classes.avatar} data-tooltip={label} data-tone={toneOf(username)}>
      {initialsOf(username)}
    </span>
  )
}

const tones = 4

/** A colour derived from the name, the same everywhere, so that people are easy to tell apart. */
function toneOf(username: string): number {
  return [...username].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % tones
}
