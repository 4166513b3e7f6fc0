import { Type } from 'typebox'
import { strict } from '../../../foundation/http/http.ts'

/** An admin user or a token, as shown with what they did; of a token, `username` is its name. */
export const personSchema = Type.Object({ id: Type.Integer(), username: Type.String() }, strict)

/** Who did something, by kind and id, under the name with which they sign in. */
interface NamedActor {
  readonly kind: string
  readonly id: number
  readonly username: string
}

/** An actor for a caller: admin users are told apart by their ids, unless the caller knows their names (`Auth.knowsAdminNames`). */
export function shownActor<Actor extends NamedActor>(actor: Actor, knowsNames: boolean): Actor {
  const isNamed = knowsNames || actor.kind !== 'admin'
  return isNamed ? actor : { ...actor, username: `admin user ${actor.id}` }
}
