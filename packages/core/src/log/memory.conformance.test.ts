import { describe, it } from "vitest";
import { logConformance } from "../testing/index.ts";
import { readerOf } from "./handles.ts";
import { createMemoryLog } from "./memory.ts";

logConformance({
  name: "memory",
  test: { describe, it },
  open: createMemoryLog,
  openReader: readerOf,
});
