export * from "./ids.ts";
export * from "./schema.ts";
export * from "./upcast.ts";
