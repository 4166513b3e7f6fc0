import { Type } from 'typebox'
import { strict } from '../../../foundation/http/http.ts'

/** The admin user or token that did something; for tokens, `username` is the name of the token. */
export const personSchema = Type.Object({ id: Type.Integer(), username: Type.String() }, strict)

/** The actor's kind and id, and the name with which it signs in. */
interface NamedActor {
  readonly kind: string
  readonly id: number
  readonly username: string
}

/** Prepares an actor for a caller, who sees admin users by id only unless they may know their names (`Auth.knowsAdminNames`). */
export function shownActor<Actor extends NamedActor>(actor: Actor, knowsNames: boolean): Actor {
  const isNamed = knowsNames || actor.kind !== 'admin'
  return isNamed ? actor : { ...actor, username: `admin user ${actor.id}` }
}
