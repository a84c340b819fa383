//! The way in: a token is exchanged for a cookie that scripts cannot read and other sites cannot use.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{RawQuery, State as Extracted};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use surefront_study::plot::escaped;

use super::forms::Fields;
use super::layout::Layout;
use crate::http::guard::COOKIE;
use crate::problem::Problem;
use crate::state::State;

/// A cookie lasts thirty days.
const SECONDS: u32 = 30 * 24 * 60 * 60;

/// `GET /login`
pub async fn page(RawQuery(query): RawQuery) -> Result<Html<String>, Problem> {
    let fields = Fields::of_query(query.as_deref())?;
    Ok(form(fields.get("next"), ""))
}

/// `POST /login`
pub async fn log_in(Extracted(state): Extracted<Arc<State>>, bytes: Bytes) -> Result<Response, Problem> {
    let fields = Fields::read(&bytes)?;
    let (token, next) = (fields.get("token"), fields.get("next"));
    let known = state.tokens.as_ref().is_none_or(|tokens| tokens.role_of(token).is_some());
    if !known {
        let page = form(next, "<p class=\"alert\" role=\"alert\">This token is not one of this server.</p>\n");
        return Ok((StatusCode::FORBIDDEN, page).into_response());
    }
    let mut response = Redirect::to(local(next)).into_response();
    if state.tokens.is_some() {
        response.headers_mut().insert(header::SET_COOKIE, cookie(token, SECONDS)?);
    }
    Ok(response)
}

/// `POST /logout`
pub async fn log_out() -> Result<Response, Problem> {
    let mut response = Redirect::to("/login").into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie("", 0)?);
    Ok(response)
}

fn cookie(token: &str, seconds: u32) -> Result<header::HeaderValue, Problem> {
    let text = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}");
    text.parse().map_err(|_| Problem::unreadable("this is no token"))
}

/// A page of this server: an address that begins like one of another is not followed.
fn local(next: &str) -> &str {
    let inside = next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\r', '\n', '\t']);
    let plain = next.bytes().all(|byte| byte.is_ascii_graphic());
    if inside && plain { next } else { "/" }
}

fn form(next: &str, message: &str) -> Html<String> {
    let body = format!(
        "<header><h1>Log in</h1></header>\n{message}<form class=\"narrow\" method=\"post\" action=\"/login\">\n\
         <input type=\"hidden\" name=\"next\" value=\"{}\">\n\
         <p><label for=\"token\">Token</label>\n<input id=\"token\" name=\"token\" type=\"password\" required autocomplete=\"current-password\" autofocus></p>\n\
         <p><button>Log in</button></p>\n\
         <p class=\"note\">The server printed the tokens when it began, or reads them from a file: one to read, and one to write.</p>\n</form>\n",
        escaped(next)
    );
    Layout::new("Log in", "login").page(&body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_elsewhere() {
        assert_eq!(local("/studies/a%20b?x=1"), "/studies/a%20b?x=1");
        for elsewhere in ["", "//evil.example", "/\\evil.example", "https://evil.example", "evil", "/a\r\nx: y", "/ü"]
        {
            assert_eq!(local(elsewhere), "/", "{elsewhere}");
        }
    }
}
