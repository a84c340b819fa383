//! What people see, without any script.

use crate::client::House;

#[test]
fn pages_are_complete_without_script() {
    let house = House::open();
    house.post("/api/studies/codecs/ask", r#"{"n": 3}"#);
    for ticket in 1..=3 {
        house.post("/api/studies/codecs/tell", &format!(r#"{{"ticket": {ticket}, "values": [{ticket}, 2]}}"#));
    }
    let list = house.page("/").text();
    assert!(list.contains("<a href=\"/studies/codecs\">codecs</a>") && list.contains("<progress"), "{list}");
    let page = house.page("/studies/codecs").text();
    for part in [
        "The front",
        "Evidence",
        "Samples per arm",
        "Why",
        "What was measured",
        "What was measured last",
        "Settings",
        "What this rests on",
    ] {
        assert!(page.contains(&format!("<h2>{part}</h2>")), "{part}");
    }
    assert!(
        page.contains("<main id=\"main\">") && page.contains("<nav aria-label") && page.contains("<html lang=\"en\">")
    );
    assert!(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert"), "text of arms is escaped");
    for path in ["/studies/codecs/log", "/studies/codecs/measure", "/studies/codecs/worklist", "/new", "/login"] {
        let page = house.page(path);
        assert_eq!(page.status, 200, "{path}: {}", page.text());
        assert!(!page.text().contains("<script>") && !page.text().contains(" onclick"), "{path}");
        assert_eq!(page.text().matches("<h1>").count(), 1, "{path}");
    }
    for asset in ["style.css", "script.js", "icon.svg"] {
        assert_eq!(house.get(&format!("/assets/{asset}")).status, 200);
    }
    assert_eq!(house.get("/assets/Cargo.toml").status, 404);
    let missing = house.page("/studies/none");
    assert_eq!(missing.status, 404);
    assert!(missing.text().contains("there is no study &quot;none&quot; here"), "{}", missing.text());
}

#[test]
fn results_are_entered_by_hand() {
    let house = House::open();
    let asked = house.form("/studies/codecs/ask", "n=2");
    assert_eq!((asked.status, asked.header("location")), (303, Some("/studies/codecs/measure#tickets")));
    let measure = house.page("/studies/codecs/measure").text();
    assert!(measure.contains("ticket 1") && measure.contains("<label for=\"t1-0\">quality</label>"), "{measure}");
    let wrong = house.form("/studies/codecs/tell", "ticket=1&value0=0%2C5&value1=8");
    assert_eq!(wrong.status, 422);
    assert!(
        wrong.text().contains("the value of &quot;quality&quot; is &quot;0,5&quot;: give a finite number"),
        "{}",
        wrong.text()
    );
    assert!(wrong.text().contains("value=\"0,5\"") && wrong.text().contains("value=\"8\""), "what was typed is kept");
    let stored = house.form("/studies/codecs/tell", "ticket=1&value0=0.5&value1=8");
    assert_eq!((stored.status, stored.header("location")), (303, Some("/studies/codecs/measure?stored=1")));
    assert!(house.page("/studies/codecs/measure?stored=1").text().contains("Stored as observation 1."));
    assert_eq!(house.form("/studies/codecs/fail", "ticket=2&why=spilt").status, 303);
    let log = house.page("/studies/codecs/log").text();
    assert!(
        log.contains("given up: spilt") && log.contains("0.5, 8") && log.contains("Take back observation 1"),
        "{log}"
    );
    assert_eq!(house.form("/studies/codecs/retract", "observation=1&reason=").status, 422);
    assert_eq!(house.form("/studies/codecs/retract", "observation=1&reason=point").status, 303);
    assert!(house.page("/studies/codecs/log").text().contains(": point</td>"));
}

#[test]
fn what_is_unusual_is_queried_before_it_is_stored() {
    let house = House::open();
    for turn in 0..10 {
        let body = format!(r#"{{"arm": "fine", "values": [{}, 8]}}"#, 0.4 + 0.02 * f64::from(turn));
        assert_eq!(house.post("/api/studies/codecs/tell", &body).status, 200);
    }
    let form = "arm=fine&value0=12.5&value1=8";
    let queried = house.form("/studies/codecs/tell", form);
    assert_eq!(queried.status, 200);
    let text = queried.text();
    assert!(
        text.contains("quality: 12.5 is 57 standard errors of a single measurement from this arm&#39;s mean")
            || text.contains("12.5 is 57 standard errors"),
        "{text}"
    );
    assert!(text.contains("name=\"confirmed\"") && text.contains("value=\"12.5\""));
    assert_eq!(house.get("/api/studies/codecs").json()["samples"], 10, "nothing is stored yet");
    assert_eq!(house.form("/studies/codecs/tell", &format!("{form}&confirmed=yes")).status, 303);
    assert_eq!(house.get("/api/studies/codecs").json()["samples"], 11);
    assert_eq!(house.form("/studies/codecs/tell", "arm=fine&value0=0.55&value1=8").status, 303);
}

#[test]
fn a_file_of_results_is_handed_back() {
    let house = House::open();
    house.form("/studies/codecs/ask", "n=2");
    let worklist = house.get("/studies/codecs/worklist.csv").text();
    assert!(worklist.starts_with("ticket,arm,quality,bytes\n1,"), "{worklist}");
    assert!(house.page("/studies/codecs/worklist").text().contains("<table class=\"worklist\">"));
    let upload = |csv: &str| {
        let body = format!(
            "--xyz\r\ncontent-disposition: form-data; name=\"file\"; filename=\"r.csv\"\r\n\r\n{csv}\r\n--xyz--\r\n"
        );
        let origin = format!("http://{}", house.address);
        let headers = [
            ("accept", "text/html"),
            ("content-type", "multipart/form-data; boundary=xyz"),
            ("origin", origin.as_str()),
        ];
        house.request("POST", "/studies/codecs/upload", &headers, body.as_bytes())
    };
    let wrong = upload("ticket,quality,bytes\n1,1,2\n9,1,2\n");
    assert_eq!(wrong.status, 422, "{}", wrong.text());
    assert!(
        wrong.text().contains("r.csv, line 3: there is no ticket 9 (nothing of this file was stored)"),
        "{}",
        wrong.text()
    );
    let stored = upload("ticket,quality,bytes\n1,1,2\n2,1,2\n");
    assert_eq!((stored.status, stored.header("location")), (303, Some("/studies/codecs/measure?rows=2&known=0")));
    assert_eq!(house.get("/api/studies/codecs").json()["samples"], 2);
}

#[test]
fn a_study_is_made_in_the_browser() {
    let house = House::open();
    let form = "id=new-one&name=New+%3Cone%3E&delta=0.05&objective0=speed&goal0=max&noise0=variance&variance0=1&arms=a%3B+1%0D%0Ab%3B+3";
    let planned = house.form("/new", &format!("{form}&do=plan"));
    assert_eq!(planned.status, 200, "{}", planned.text());
    assert!(
        planned.text().contains("the front is b.") && planned.text().contains("At δ = 0.05: about"),
        "{}",
        planned.text()
    );
    assert!(!house.path().join("new-one.toml").exists(), "a plan makes nothing");
    let made = house.form("/new", &format!("{form}&do=make"));
    assert_eq!((made.status, made.header("location")), (303, Some("/studies/new-one")));
    assert!(house.page("/studies/new-one").text().contains("New &lt;one&gt;"));
    assert_eq!(house.form("/new", &format!("{form}&do=make")).status, 409, "nothing is overwritten");
    assert_eq!(house.form("/new", "id=..%2Fx&objective0=s&goal0=max&arms=a").status, 422);
    let text = std::fs::read_to_string(house.path().join("new-one.toml")).unwrap();
    assert!(!text.contains("command"), "{text}");
}

#[test]
fn a_part_of_the_front_is_drawn_larger() {
    let house = House::open();
    for arm in ["fine", "coarse"] {
        house.post("/api/studies/codecs/tell", &format!(r#"{{"arm": "{arm}", "values": [1, 2]}}"#));
    }
    let plot = house.get("/studies/codecs/plot?pair=0+1&x=0+2&y=1+3");
    assert_eq!(plot.status, 200, "{}", plot.text());
    assert!(plot.text().contains("data-x=\"0 2\" data-y=\"1 3\""), "{}", plot.text());
    for query in [
        "",
        "pair=0+1",
        "pair=1+0&x=0+1&y=0+1",
        "pair=0+7&x=0+1&y=0+1",
        "pair=0+1&x=1+1&y=0+1",
        "pair=0+1&x=nan+1&y=0+1",
    ] {
        let plot = house.get(&format!("/studies/codecs/plot?{query}"));
        assert!((400..500).contains(&plot.status), "{query}: {}", plot.status);
    }
}
