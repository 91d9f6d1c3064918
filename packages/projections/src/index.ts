export { storedEvents } from "./stored-events.ts";
