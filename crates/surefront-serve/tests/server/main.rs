//! The server as its clients see it.

mod api;
mod client;
mod events;
mod fuzz;
mod open_api;
mod pages;
mod security;
