/* View plus events is the view that follows. */

import { FACING, OF_UNIT, PLACE, WOUNDS, X, Y, Z, type GameEvent, type View } from "./protocol";

export function fold(view: View, events: GameEvent[]): void {
  for (const e of events) {
    switch (e.event) {
      case "changed": {
        const holder: any =
          e.what === "unit"
            ? view.units[e.id]
            : e.what === "player"
              ? view.players[e.id]
              : e.what === "game"
                ? view.game
                : view;
        Object.assign(holder, e.fields);
        break;
      }
      case "moved":
        e.models.forEach((m: number, i: number) => {
          const row = view.models[m];
          [row[X], row[Y], row[Z]] = e.pos[i];
          row[FACING] = e.facing[i];
        });
        break;
      case "placed":
        for (const m of e.models) view.models[m][PLACE] = e.place;
        break;
      case "wounded":
        view.models[e.model][WOUNDS] = e.wounds;
        break;
      case "marked":
        view.models[e.model][6] = e.mark;
        break;
      case "joined":
        for (const m of e.models) view.models[m][OF_UNIT] = e.unit;
        break;
      case "affected":
        view.effects = e.effects;
        break;
      case "built":
        view.features = e.features;
        break;
    }
  }
}
