import type { Figure } from "./figure.ts";
import { projectionCatchUp, projectionUpdate, tenProjections } from "./projections-live.ts";
import { projectionMemory } from "./projections-memory.ts";
import { stateStructures } from "./projections-structures.ts";
import { timeTravelLong, timeTravelShort } from "./projections-travel.ts";

/** What following a window costs, and going back in it. */
export const PROJECTION_FIGURES: readonly Figure[] = [
  projectionUpdate,
  stateStructures,
  projectionCatchUp,
  tenProjections,
  timeTravelShort,
  timeTravelLong,
  projectionMemory,
];
