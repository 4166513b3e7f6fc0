import classes from './avatar.module.css'
import { initialsOf } from './initials.ts'

/** The initials of somebody; their name is said beside it, or by `label`. */
export function Avatar({ username, label }: { readonly username: string; readonly label?: string }) {
  const said = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <span {...said} className={classes.avatar} data-tooltip={label} data-tone={toneOf(username)}>
      {initialsOf(username)}
    </span>
  )
}

const tones = 4

/** The same for a name everywhere, so that people are told apart at a glance. */
function toneOf(username: string): number {
  return [...username].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % tones
}
